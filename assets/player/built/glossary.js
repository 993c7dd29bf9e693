import{a as t}from"./chunk-R2QWZGZM.js";import"./chunk-VJFOOEG3.js";import{b as o}from"./chunk-B4QONLUO.js";import"./chunk-3D6SR4V4.js";var e=o(t);export{e as default};
