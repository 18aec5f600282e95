import type { Failure } from '../base/api/failure';

type Flags = Record<string, unknown>;
export type Provider = 'google' | 'oidc' | 'saml';

export interface Ways {
  /** The server can mail a code. */
  codes: boolean;
  passwords: boolean;
  /** The server can mail a reset link. */
  links: boolean;
  providers: Provider[];
}

const PROVIDERS: readonly Provider[] = ['google', 'oidc', 'saml'];

export function waysOf(flags: Flags): Ways {
  const shown = (flags['THIRD_PARTY_AUTH_PROVIDERS_TO_SHOW_MAP'] ?? {}) as Record<string, unknown>;
  const passwords = flags['EMAIL_AUTH_ENABLED'] !== false;
  return {
    codes: flags['EMAIL_CODE_AUTH_ENABLED'] === true,
    passwords,
    links: passwords && flags['SMTP_CONFIGURED'] === true,
    providers: PROVIDERS.filter((each) => shown[each] === true),
  };
}

const culprits: Record<string, string> = {
  INVALID_OTP: 'code',
  INVALID_CREDENTIALS: 'password',
  INVITATION_ONLY_SIGN_UP: 'email',
  EXISTING_USER: 'email',
  EMAIL_AUTH_DISABLED: 'email',
  DOMAIN_NOT_ALLOWED: 'email',
  USER_IS_INACTIVE: 'email',
  EMAIL_IS_NOT_VERIFIED: 'email',
};

/** Problems by field; a failure without a field of the form is left to a notice. */
export function problemsOf(
  failure: Failure | undefined,
  fields: readonly string[],
  words: (failure: Failure) => string,
): Record<string, string> {
  if (!failure) {
    return {};
  }
  const culprit = culprits[failure.code];
  return culprit && fields.includes(culprit) ? { [culprit]: words(failure) } : failure.fields;
}

/** Return path of this server; rejects other hosts, in obfuscated forms too. */
export function placeAfterwards(from: string | null, origin: string): string | undefined {
  return from !== null && /^\/(?![/\\])/.test(from) && !/[\u0000-\u001f\\]/.test(from) ? origin + from : undefined;
}
