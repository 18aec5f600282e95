import { api, type Answer } from '../../base/api/client';
import { Button } from '../../base/components/Button';
import { Badge, Notice } from '../../base/components/States';
import { useQuery } from '../../base/query';
import { count, t } from '../../base/text';

type Proof = Answer<'GET /v1/audit-events/verification'>;

/** Verification of the hash chain, in which each event carries the hash of the previous one. */
export function Chain() {
  const proof = useQuery<Proof>('audit chain', (signal) => api('GET /v1/audit-events/verification', { signal }));
  return (
    <div class="chain" aria-busy={proof.loading}>
      {proof.failure ? (
        <Notice failure={proof.failure} />
      ) : !proof.value ? (
        <span class="faint">{t('audit.proving')}</span>
      ) : proof.value.intact ? (
        <Badge tone="green" icon="shield-check">
          {t('audit.intact')}
        </Badge>
      ) : (
        <Badge tone="red" icon="triangle-alert">
          {t('audit.broken')}
        </Badge>
      )}
      {proof.value ? (
        <span class="faint">
          {proof.value.intact
            ? count('audit.proved', proof.value.events)
            : count('audit.provedUntil', proof.value.events)}
        </span>
      ) : null}
      <span class="spread" />
      <Button size="small" icon="shield-check" busy={proof.loading} onClick={proof.reload}>
        {t('audit.prove')}
      </Button>
    </div>
  );
}
