const o = require('ospec');
const { melts, label } = require('../lib/glaze');
o.spec('glaze', () => {
  o('melts at 1000', () => {
    o(melts(1000)).equals(true);
  });
  o('cold stays hard', () => {
    o(melts(20)).equals(false);
  });
  o('labels a pot without a name', () => {
    o(label({})).equals('NAMELESS');
  });
});
o.run();
