const { Given } = require("@cucumber/cucumber");
let n = 0;
Given("a shaky step", function () { if (n++ === 0) throw new Error("the first try fails"); });
