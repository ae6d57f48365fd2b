const Jasmine = require('jasmine');
const j = new Jasmine();
j.loadConfig({ spec_dir: 'spec', spec_files: ['*_spec.js'], random: false });
j.clearReporters();
j.addReporter(new (require('jasmine-console-reporter'))({ colors: 0, activity: false }));
j.execute();
