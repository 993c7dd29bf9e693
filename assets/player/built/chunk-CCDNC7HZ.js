var s=[.685,.86],n=[.62,.945],p=(e,[t,o]=s)=>e>=o?"deepest":e>=t?"deep":"";export{n as a,p as b};
