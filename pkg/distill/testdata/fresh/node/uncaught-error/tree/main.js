const { label } = require("./lib/price");
console.log("start");
console.log(label(undefined));
