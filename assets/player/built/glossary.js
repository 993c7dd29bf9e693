import{a as o}from"./chunk-YT75VOKJ.js";import"./chunk-CZQ4SEOH.js";import{b as t}from"./chunk-DWN5CRBT.js";import"./chunk-VR23XCKM.js";var p=t(o);export{p as default};
