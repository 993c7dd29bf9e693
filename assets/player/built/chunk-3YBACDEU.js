function n(t){let a=Math.max(...t.flatMap(e=>(e??[]).map(o=>o.bleu)));return Math.max(10,5*Math.ceil(a/5))}export{n as a};
