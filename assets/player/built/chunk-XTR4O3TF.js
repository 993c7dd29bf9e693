var p=[.685,.86],c=[.62,.945],n=(e,[t,o]=p)=>e>=o?"deepest":e>=t?"deep":"";export{c as a,n as b};
