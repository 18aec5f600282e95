import { useState } from 'preact/hooks';
import { Button } from '../../base/components/Button';
import { SecretDialog } from '../../base/components/SecretDialog';
import { Tabs } from '../../base/components/Tabs';
import { useCommands } from '../../base/commands';
import { narrow, usePlace } from '../../base/router';
import { t } from '../../base/text';
import { PlatformPage } from '../PlatformPage';
import { ApiKeyDialog } from './ApiKeyDialog';
import { ApiKeyList } from './ApiKeyList';
import type { NewSecret } from './model';
import { SigningKeyDialog } from './SigningKeyDialog';
import { SigningKeyList } from './SigningKeyList';

/** Keys of API clients and of hosts that embed the console. A secret is shown once. */
export default function KeysPage() {
  const { query } = usePlace();
  const view = query.get('view') === 'signing' ? 'signing' : 'api';
  const [making, setMaking] = useState(false);
  const [shown, setShown] = useState<NewSecret>();
  const [turn, setTurn] = useState(0);
  const title = t(view === 'api' ? 'keys.newApi' : 'keys.newSigning');
  const begin = (): void => setMaking(true);
  useCommands([{ id: 'new-key', label: title, icon: 'plus', keys: 'c', perform: begin }], [view]);
  const made = (secret: NewSecret): void => {
    setShown(secret);
    setTurn((n) => n + 1);
  };
  return (
    <PlatformPage
      title={t('keys.title')}
      actions={
        <Button kind="primary" icon="plus" onClick={begin}>
          {title}
        </Button>
      }>
      {() => (
        <>
          <Tabs
            label={t('keys.title')}
            chosen={view}
            onChoose={(key) => narrow({ view: key === 'api' ? '' : key })}
            tabs={[
              { key: 'api', label: t('keys.api') },
              { key: 'signing', label: t('keys.signing') },
            ]}>
            <div class="connections">
              <p class="faint">{t(view === 'api' ? 'keys.apiText' : 'keys.signingText')}</p>
              {view === 'api' ? <ApiKeyList turn={turn} begin={begin} /> : <SigningKeyList turn={turn} begin={begin} />}
            </div>
          </Tabs>
          {making ? (
            view === 'api' ? (
              <ApiKeyDialog close={() => setMaking(false)} made={made} />
            ) : (
              <SigningKeyDialog close={() => setMaking(false)} made={made} />
            )
          ) : null}
          {shown ? <SecretDialog {...shown} close={() => setShown(undefined)} /> : null}
        </>
      )}
    </PlatformPage>
  );
}
