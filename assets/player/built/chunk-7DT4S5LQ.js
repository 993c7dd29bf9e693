var i=([a,n],[e,c])=>h=>e+Math.max(0,Math.min(1,(h-a)/(n-a)))*(c-e);export{i as a};
