/** What can be known of Google: the switch of the platform, and whether the server offers it. */
export type GoogleState = 'shown' | 'unset' | 'off';

export const googleState = (enabled: boolean, offered: boolean): GoogleState => offered ? 'shown' : enabled ? 'unset' : 'off';

/** Domains of addresses as they are typed: lower case, without what stands before an @. */
export const domainOf = (typed: string): string => typed.trim().toLowerCase().replace(/^.*@/, '');

export const isDomain = (domain: string): boolean => /^(?=.{4,253}$)([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/.test(domain);
