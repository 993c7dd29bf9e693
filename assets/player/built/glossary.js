import{a as o}from"./chunk-T6R5TTHG.js";import"./chunk-CZQ4SEOH.js";import{b as t}from"./chunk-OLPU3EDR.js";import"./chunk-VR23XCKM.js";var p=t(o);export{p as default};
