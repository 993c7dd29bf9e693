var n=({kind:t,languages:o})=>t==="own"?null:t==="attend"?o[0]:o[1];export{n as a};
