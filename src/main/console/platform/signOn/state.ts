/** State of Google: on, switched on without the server's settings, or off. */
export type GoogleState = 'shown' | 'unset' | 'off';

export const googleState = (enabled: boolean, offered: boolean): GoogleState =>
  offered ? 'shown' : enabled ? 'unset' : 'off';

export const domainOf = (typed: string): string => typed.trim().toLowerCase().replace(/^.*@/, '');

export const isDomain = (domain: string): boolean =>
  /^(?=.{4,253}$)([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/.test(domain);
