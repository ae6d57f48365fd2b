const http = require('http');
http.createServer((q, s) => {
  if (q.url === '/stops') { s.setHeader('content-type', 'application/json'); s.end(JSON.stringify([{ id: 1, name: 'Harbour' }])); }
  else if (q.url === '/fare') { s.end('270'); }
  else { s.statusCode = 500; s.end('no such thing'); }
}).listen(8931, '127.0.0.1');
