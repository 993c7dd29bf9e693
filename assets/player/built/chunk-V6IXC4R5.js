var p=[.685,.86],s=[.62,.945],n=(e,[t,o]=p)=>e>=o?"deepest":e>=t?"deep":"";export{s as a,n as b};
