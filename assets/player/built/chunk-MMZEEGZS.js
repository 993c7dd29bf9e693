function n(t){let a=Math.max(...t.flatMap(o=>(o??[]).map(e=>e.bleu)));return Math.max(10,5*Math.ceil(a/5))}export{n as a};
