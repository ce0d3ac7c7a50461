/** Where the proxy's socket is inside the sandbox. */
export const SOCKET_MOUNT = '/.sandbox/network'
/** Programs inside know the proxy by this address; it exists in the run's own network alone. */
const PORT = 3128
const ADDRESS = `http://127.0.0.1:${PORT}`

/** What runs the relay. Part of every Debian and Ubuntu, and there wherever git is. */
export const RELAY_PROGRAM = '/usr/bin/perl'

/** What makes programs use the proxy, in both spellings, since programs differ. Plain HTTP gets an answer that says why not. */
export const PROXY_VARIABLES: Readonly<Record<string, string>> = {
  HTTPS_PROXY: ADDRESS,
  https_proxy: ADDRESS,
  HTTP_PROXY: ADDRESS,
  http_proxy: ADDRESS,
  // Node asks for it since its version 24.
  NODE_USE_ENV_PROXY: '1',
}

/**
 * Inside the sandbox: listens on the loopback device, makes sure that the proxy answers, leaves a copy of itself behind
 * that carries bytes to and fro, and becomes the command. Whatever fails on the way, the command does not begin.
 */
const RELAY = String.raw`
use strict; use Socket;
my ($path, $port) = splice @ARGV, 0, 2;
sub fail { print STDERR "The network of this run could not be set up: $_[0]: $!\n"; exit 125 }
sub proxy { my $to; socket($to, AF_UNIX, SOCK_STREAM, 0) && connect($to, pack_sockaddr_un($path)) ? $to : undef }
socket(my $door, AF_INET, SOCK_STREAM, 0) or fail("socket");
setsockopt($door, SOL_SOCKET, SO_REUSEADDR, 1);
bind($door, pack_sockaddr_in($port, INADDR_LOOPBACK)) or fail("bind");
listen($door, 128) or fail("listen");
my $first = proxy() or fail("connect");
syswrite($first, "OPTIONS * HTTP/1.1\r\nhost: satchel\r\n\r\n") or fail("write");
my $said = ""; while (sysread($first, my $piece, 4096)) { $said .= $piece }
fail("answer") unless $said =~ m{^HTTP/1\.1 204 };
close $first;
my $copy = fork(); fail("fork") unless defined $copy;
if ($copy) { waitpid($copy, 0); close $door; { no warnings; exec { $ARGV[0] } @ARGV } fail($ARGV[0]) }
exit 0 if fork();
setpgrp(0, 0); chdir "/";
$SIG{$_} = "IGNORE" for qw(HUP INT QUIT TERM PIPE TSTP TTIN TTOU USR1 USR2);
for my $std (\*STDIN, \*STDOUT, \*STDERR) { open($std, "+<", "/dev/null") }
my (%end, %other, %held, %over);
sub forget { my @both = ($_[0], $other{$_[0]}); for my $fd (@both) { close delete $end{$fd}; delete $other{$fd}; delete $held{$fd}; delete $over{$fd} } }
for (;;) {
  my ($read, $write) = ("", "");
  vec($read, fileno($door), 1) = 1 if keys(%end) < 400;
  for my $fd (keys %end) {
    vec($read, $fd, 1) = 1 if !$over{$fd} && length($held{$other{$fd}}) < 65536;
    vec($write, $fd, 1) = 1 if length $held{$fd};
  }
  next if select($read, $write, undef, undef) < 1;
  if (vec($read, fileno($door), 1) && accept(my $in, $door)) {
    if (my $to = proxy()) {
      my ($a, $b) = (fileno($in), fileno($to));
      $in->blocking(0); $to->blocking(0);
      ($end{$a}, $end{$b}, $other{$a}, $other{$b}, $held{$a}, $held{$b}) = ($in, $to, $b, $a, "", "");
    }
  }
  for my $fd (keys %end) {
    next unless exists $end{$fd};
    if (vec($write, $fd, 1)) {
      my $sent = syswrite($end{$fd}, $held{$fd});
      if (defined $sent) { substr($held{$fd}, 0, $sent) = "" } elsif (!$!{EAGAIN} && !$!{EINTR}) { forget($fd); next }
    }
    if (vec($read, $fd, 1)) {
      my $got = sysread($end{$fd}, my $piece, 65536);
      if ($got) { $held{$other{$fd}} .= $piece }
      elsif (defined $got) { $over{$fd} = 1 }
      elsif (!$!{EAGAIN} && !$!{EINTR}) { forget($fd); next }
    }
  }
  for my $fd (keys %end) {
    next unless exists $end{$fd};
    my $to = $other{$fd};
    if ($over{$fd} && $over{$fd} == 1 && $held{$to} eq "") { shutdown($end{$to}, 1); $over{$fd} = 2 }
    forget($fd) if ($over{$fd} // 0) == 2 && ($over{$to} // 0) == 2;
  }
}
`

/** Stands before a command that may reach hosts, inside the sandbox. */
export function relayCommand(): string[] {
  return [RELAY_PROGRAM, '-f', '-MErrno', '-MIO::Handle', '-e', RELAY, SOCKET_MOUNT, String(PORT)]
}
