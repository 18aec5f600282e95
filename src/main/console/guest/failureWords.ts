import type { Failure } from '../base/api/failure';
import { t } from './text';

/** Message of a failure for guests, who have no access to logs or the flow. */
export function wordsOf(failure: Failure): string {
  switch (failure.status) {
    case 0:
      return t(failure.code === 'CANCELED' ? 'failure.canceled' : 'failure.offline');
    case 404:
    case 410:
      return t('failure.closed');
    case 408:
      return t('failure.timeout');
    case 413:
      return t('failure.tooLarge');
    case 402:
    case 429:
    case 503:
      return failure.retryAfter ? t('failure.busyFor', { seconds: failure.retryAfter }) : t('failure.busy');
    default:
      return failure.status >= 500 ? t('failure.failed') : failure.message || t('failure.refused');
  }
}
