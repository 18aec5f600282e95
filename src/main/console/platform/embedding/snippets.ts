/** Normalized origin: scheme, host, and a non-default port; undefined if invalid. */
export function originOf(typed: string): string | undefined {
  const match = /^(https?):\/\/(\*\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)*)(:\d{1,5})?\/?$/.exec(typed.trim().toLowerCase());
  if (!match) {
    return undefined;
  }
  const [, scheme, wild = '', host, port = ''] = match;
  const usual = scheme === 'https' ? ':443' : ':80';
  return `${scheme}://${wild}${host}${port === usual ? '' : port}`;
}

/** Token that the host's server signs for each user. */
export const tokenOf = (): string => `{
  "alg": "RS256", "typ": "JWT", "kid": "<id of the signing key>"
}
{
  "version": "v3",
  "externalUserId": "user-42",
  "externalProjectId": "customer-7",
  "firstName": "Ada", "lastName": "Miller",
  "role": "EDITOR",
  "exp": <in a few minutes, in seconds>
}`;

export const pageOf = (server: string): string => `<div id="automation" style="height: 800px"></div>
<script src="${server}/assets/embed.js"></script>
<script>
  const shown = millrace.embed({
    container: document.getElementById('automation'),
    token: () => fetch('/my-token').then((answer) => answer.text()),
    path: '/flows',
    hideNavigation: true,
    on: { route: (path) => {}, failed: (why) => {} },
  });
  // shown.navigate('/runs');
</script>`;
