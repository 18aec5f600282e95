import type { Failure } from '../base/api/failure';

type Flags = Record<string, unknown>;
export type Provider = 'google' | 'oidc' | 'saml';

/** By which ways a person can come in. */
export interface Ways {
  /** A code can be mailed. */
  codes: boolean;
  passwords: boolean;
  /** A link to choose another password can be mailed. */
  links: boolean;
  providers: Provider[];
}

const PROVIDERS: readonly Provider[] = ['google', 'oidc', 'saml'];

/** What the server offers. */
export function waysOf(flags: Flags): Ways {
  const shown = (flags['THIRD_PARTY_AUTH_PROVIDERS_TO_SHOW_MAP'] ?? {}) as Record<string, unknown>;
  const passwords = flags['EMAIL_AUTH_ENABLED'] !== false;
  return {
    codes: flags['EMAIL_CODE_AUTH_ENABLED'] === true, passwords, links: passwords && flags['SMTP_CONFIGURED'] === true,
    providers: PROVIDERS.filter((each) => shown[each] === true),
  };
}

const culprits: Record<string, string> = {
  INVALID_OTP: 'code', INVALID_CREDENTIALS: 'password', INVITATION_ONLY_SIGN_UP: 'email', EXISTING_USER: 'email',
  EMAIL_AUTH_DISABLED: 'email', DOMAIN_NOT_ALLOWED: 'email', USER_IS_INACTIVE: 'email', EMAIL_IS_NOT_VERIFIED: 'email',
};

/** What is wrong, by the field that it is about; what is about none of the form's fields is left to a notice. */
export function problemsOf(failure: Failure | undefined, fields: readonly string[], words: (failure: Failure) => string): Record<string, string> {
  if (!failure) {
    return {};
  }
  const culprit = culprits[failure.code];
  return culprit && fields.includes(culprit) ? { [culprit]: words(failure) } : failure.fields;
}

/** Only a path of this very server is gone on to: no other host, and none in disguise. */
export function placeAfterwards(from: string | null, origin: string): string | undefined {
  return from !== null && /^\/(?![/\\])/.test(from) && !/[\u0000-\u001f\\]/.test(from) ? origin + from : undefined;
}
