// The service that the workflows call: an echo, statuses and a GraphQL endpoint.
export function standIn(request, response) {
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (part) => { text += part; });
  request.on('end', () => {
    const url = new URL(request.url, 'http://stand-in');
    const body = text ? JSON.parse(text) : null;
    let answer = {
      method: request.method, path: url.pathname, query: Object.fromEntries(url.searchParams), kind: request.headers['x-kind'] ?? null,
      body,
    };
    let status = 200;
    if (url.pathname.startsWith('/status/')) {
      status = Number(url.pathname.slice('/status/'.length));
      answer = { status };
    } else if (url.pathname === '/graphql') {
      answer = { data: { asked: { query: body.query, variables: body.variables } } };
    }
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
  });
}
