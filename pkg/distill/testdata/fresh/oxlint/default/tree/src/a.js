let x = 1;
if (x == NaN) {
  debugger;
}
for (const i of []) {}
