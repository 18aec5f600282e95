import type { Failure } from './api/failure';
import { t, type TextKey } from './text';

const byCode: Record<string, TextKey> = {
  OFFLINE: 'error.offline',
  OUTCOME_UNKNOWN: 'error.outcomeUnknown',
  INVALID_CREDENTIALS: 'signIn.wrong',
  USER_IS_INACTIVE: 'signIn.inactive',
  INVALID_OTP: 'signIn.badCode',
  INVALID_BEARER_TOKEN: 'signIn.badLink',
  EMAIL_IS_NOT_VERIFIED: 'signIn.notVerified',
  DOMAIN_NOT_ALLOWED: 'signIn.domain',
  EMAIL_AUTH_DISABLED: 'signIn.emailOff',
  EXISTING_USER: 'start.exists',
  INVITATION_ONLY_SIGN_UP: 'signIn.invitationOnly',
  FST_ERR_VALIDATION: 'error.invalid',
  ENTITY_NOT_FOUND: 'error.notFound',
  AUTHORIZATION: 'error.forbidden',
  PERMISSION_DENIED: 'error.forbidden',
};

export function wordsOf(failure: Failure): { title: string; detail: string } {
  const known = byCode[failure.code];
  if (known) {
    return { title: t(known), detail: failure.code === 'FST_ERR_VALIDATION' ? failure.message : '' };
  }
  if (failure.status === 429) {
    return { title: t('error.tooMany', { seconds: failure.retryAfter || 60 }), detail: '' };
  }
  if (failure.status === 503) {
    return { title: t('error.unavailable'), detail: '' };
  }
  if (failure.status >= 500) {
    return { title: t('error.defect'), detail: '' };
  }
  return { title: failure.message || t('error.other'), detail: '' };
}
