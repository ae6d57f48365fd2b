module.exports = { testDir: 'e2e', reporter: process.env.R || 'list', retries: Number(process.env.RETRIES || 0) };
