import * as fc from 'fast-check'
import { it } from 'vitest'
import { readFileSync, readdirSync, existsSync } from 'node:fs'
import { parseSkillMd } from '@shared/skill-md'
it('fuzz', () => {
  const piece = fc.constantFrom('---','\n','name: ','description: ','a: b: c','[','{','*x','&x ','!!t ','"',"'",'|\n','  ','\t','- ','? ',': ','\r\n','#','%','<<: ','\\', '>', ',', ']', '}', '\n  ', '\n- ', '\n    ')
  const rep = fc.tuple(piece, piece, fc.integer({min:1,max:9000})).map(([a,b,n]) => (a+b).repeat(n).slice(0,31000))
  let max = 0, worst=''
  fc.assert(fc.property(fc.array(rep,{maxLength:3}), (t) => { const s='---\nname: x\na: '+t.join('').slice(0,31900)+'\n---\n'; const b=performance.now(); parseSkillMd(s,{folderName:'x'}); const d=performance.now()-b; if(d>max){max=d;worst=s.slice(0,120)} }),{numRuns:1500})
  console.log('max ms', max, JSON.stringify(worst))
  let n=0
  for (const d of readdirSync('resources/skills')) { const f=`resources/skills/${d}/SKILL.md`; if(existsSync(f)){ const p=parseSkillMd(readFileSync(f,'utf8'),{folderName:d}); console.log(d,p.broken,p.diagnostics) } }
  const cases=JSON.parse(readFileSync('/work/shared/conformance/skills-ref.json','utf8')); const list=Array.isArray(cases)?cases:cases.cases; 
  for(const c of list){ const t=c.files?.['SKILL.md']??c.files?.['skill.md']; if(typeof t!=='string')continue; n++; const p=parseSkillMd(t,{folderName:c.dir}); if(p.broken!==(c.errors?.length>0)) console.log(c.dir, JSON.stringify(t.slice(0,70)), 'ref:',c.errors?.map((e:string)=>e.slice(0,70)), 'ours:', p.diagnostics.map(d=>d.code)) }
  console.log(n)
})
