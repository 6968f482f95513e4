/* SPDX-License-Identifier: MIT
 *
 * What the HTML report looks like, and the little script of it. Colours are those of Okabe and Ito, which
 * colour-blind eyes tell apart. Without the script all is there but the sorting.
 */
#ifndef REPORT_HTML_STYLE_H
#define REPORT_HTML_STYLE_H

static const char html_style[] =
	":root{color-scheme:light dark;--bg:#fff;--fg:#1b1b1b;--dim:#666;--line:#ccc;--panel:#f6f6f6}\n"
	"@media(prefers-color-scheme:dark){:root{--bg:#161616;--fg:#e6e6e6;--dim:#a0a0a0;--line:#444;--panel:"
	"#202020}}\n"
	"body{background:var(--bg);color:var(--fg);font:15px/1.45 system-ui,sans-serif;margin:1.5rem auto;"
	"max-width:72rem;padding:0 1rem}\n"
	"h1{font-size:1.35rem;margin:0 0 .3rem;overflow-wrap:anywhere}h2{font-size:1.1rem;margin:1.6rem 0 "
	".4rem}\n"
	"p{margin:.3rem 0}.verdict{font-size:1.1rem}.note{color:var(--dim)}\n"
	".facts{display:flex;flex-wrap:wrap;gap:.3rem 2rem;margin:.8rem 0}.facts div{min-width:8rem}\n"
	".facts b{display:block;font-size:1.15rem}.facts span{color:var(--dim);font-size:.85rem}\n"
	".scroll{overflow-x:auto}table{border-collapse:collapse;min-width:50%}\n"
	"th,td{text-align:left;padding:.15rem .7rem .15rem 0;border-bottom:1px solid "
	"var(--line);vertical-align:top}\n"
	"td.r,th.r{text-align:right;font-variant-numeric:tabular-nums}td.w{overflow-wrap:anywhere;min-width:"
	"12rem}\n"
	"th button{all:unset;cursor:pointer;font-weight:inherit}th button:focus-visible{outline:2px solid "
	"#0072b2}\n"
	"th[aria-sort=ascending] button::after{content:' \\2191'}th[aria-sort=descending] "
	"button::after{content:' \\2193'}\n"
	"tr:target,tr.on{background:var(--panel);outline:2px solid #0072b2}\n"
	"svg{width:100%;height:auto;display:block}\n"
	"svg text{fill:var(--fg);font:11px system-ui,sans-serif}svg .h{font-weight:600}svg "
	".s{fill:var(--dim);font-size:10px}\n"
	"svg .e{text-anchor:end}svg .m{text-anchor:middle}svg .k{fill:#000;font-weight:700}svg "
	".n{fill:#000;font-size:8px}\n"
	".f{fill:var(--panel)}.x{stroke:var(--line);stroke-width:.6}\n"
	".a1{fill:#56b4e9;stroke:#56b4e9}.a2{fill:#cc79a7;stroke:#cc79a7}.a3{fill:#e69f00;stroke:#e69f00}"
	".a1,.a2,.a3{stroke-width:.7}.a1.key{stroke:#56b4e9}.a2.key{stroke:#cc79a7}."
	"a3.key{stroke:#e69f00}\n"
	".a1.key,.a2.key,.a3.key{stroke-width:6}.l1,.l2,.l3,.t1,.t2{fill:none;stroke-width:1.3}.l1.key,.l2."
	"key,.l3.key,.t1.key,."
	"t2.key{stroke-width:2}\n"
	".l1{stroke:#009e73}.l2{stroke:#0072b2;stroke-dasharray:5 1.5}.l3{stroke:#d55e00;stroke-width:1.6}\n"
	".t1{stroke:#d55e00;stroke-dasharray:8 3}.t2{stroke:#d55e00;stroke-dasharray:2 3}\n"
	"@media(prefers-color-scheme:dark){.l2{stroke:#f0e442}}\n"
	".g{fill:#8fc9a9}.g.u{fill:#b8b8b8;stroke:#d55e00;stroke-dasharray:2 2;stroke-width:.8}\n"
	".c-dirty_throttle{fill:#d55e00}.c-flush_wait{fill:#e69f00}.c-read{fill:#56b4e9}.c-memory{fill:#"
	"cc79a7}\n"
	".c-remote_io{fill:#3f8fd0}.c-blocked{fill:#999}.c-cpu{fill:#009e73}.c-runqueue{fill:#7dd3b6}.c-lock{"
	"fill:#b5b0a0}"
	".c-wait{fill:#d0d0d0}\n"
	".b{opacity:.16}.b:hover,a.on .b{opacity:.45;stroke:var(--fg);stroke-width:1}\n"
	".bar{display:block;height:.7rem;width:100%;min-width:6rem}\n"
	"@media "
	"print{:root{--bg:#fff;--fg:#000;--dim:#333;--line:#bbb;--panel:#f4f4f4}body{max-width:none;margin:0;"
	"font-size:10pt}svg,tr{break-inside:avoid}.b{opacity:.25}*{print-color-adjust:exact;-webkit-print-"
	"color-adjust:exact}}\n";

static const char html_script[] =
	"for(const table of document.querySelectorAll('table.sort')){const body=table.tBodies[0];\n"
	"table.querySelectorAll('th').forEach((th,i)=>{const "
	"b=document.createElement('button');b.type='button';"
	"b.textContent=th.textContent;th.replaceChildren(b);\n"
	"b.addEventListener('click',()=>{const up=th.getAttribute('aria-sort')==='descending';\n"
	"table.querySelectorAll('th').forEach(o=>o.removeAttribute('aria-sort'));"
	"th.setAttribute('aria-sort',up?'ascending':'descending');\n"
	"const key=r=>{const c=r.cells[i],v=c.dataset.v;return v===undefined?c.textContent:+v};\n"
	"const rows=[...body.rows].sort((p,q)=>{const a=key(p),z=key(q);"
	"return typeof a==='number'&&typeof z==='number'?a-z:String(a).localeCompare(String(z))});\n"
	"if(!up)rows.reverse();body.append(...rows)})})}\n"
	"const mark=(n,on)=>{for(const e of "
	"document.querySelectorAll('[data-stall=\"'+n+'\"]'))e.classList.toggle('on',on)};\n"
	"for(const e of document.querySelectorAll('[data-stall]')){const n=e.dataset.stall;\n"
	"e.addEventListener('mouseenter',()=>mark(n,true));e.addEventListener('mouseleave',()=>mark(n,false))"
	"}\n";

#endif
