import { useEffect } from 'preact/hooks';
import { api, type Answer } from '../base/api/client';
import { LinkButton } from '../base/components/Button';
import { Notice } from '../base/components/States';
import { useQuery } from '../base/query';
import { session } from '../base/session';
import { useStore } from '../base/store';
import { t } from '../base/text';

type Provider = Answer<'GET /v1/ai-providers'>[number];

/**
 * True if the platform has no model provider; false while that is unknown. Asks again when the window gets the focus, because
 * another person may have added one.
 */
export function useHasNoProvider(): boolean {
  const providers = useQuery<Provider[]>('ai providers', (signal) => api('GET /v1/ai-providers', { signal }));
  const isEmpty = providers.value?.length === 0;
  useEffect(() => {
    if (isEmpty) {
      window.addEventListener('focus', providers.reload);
    }
    return () => window.removeEventListener('focus', providers.reload);
  }, [isEmpty]);
  return isEmpty;
}

export function NoProvider() {
  const isAdmin = useStore(session, (now) => now.state === 'in' && now.user.platformRole === 'ADMIN');
  return (
    <Notice tone="amber">
      <div class="no-provider">
        <span>{t(isAdmin ? 'agents.noProviderYet' : 'agents.noProvider')}</span>
        {isAdmin ? (
          <LinkButton size="small" icon="plus" to="/platform/ai">
            {t('agents.addProvider')}
          </LinkButton>
        ) : null}
      </div>
    </Notice>
  );
}
