const Jasmine = require('jasmine');
const Reporter = require('jasmine-terminal-reporter');

const jasmine = new Jasmine();
jasmine.loadConfig({ spec_dir: 'spec', spec_files: ['*_spec.js'], random: false });
jasmine.clearReporters();
jasmine.addReporter(new Reporter({ includeStackTrace: true, isVerbose: true, showColors: false }));
jasmine.execute();
