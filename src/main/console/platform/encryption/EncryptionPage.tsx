import { useState } from 'preact/hooks';
import { api, type Answer } from '../../base/api/client';
import { Button } from '../../base/components/Button';
import { ConfirmDialog } from '../../base/components/ConfirmDialog';
import { Facts, Panel } from '../../base/components/Panel';
import { Badge } from '../../base/components/States';
import { useQuery } from '../../base/query';
import { count, t } from '../../base/text';
import { Loaded } from '../Loaded';
import { PlatformPage } from '../PlatformPage';

type Key = Answer<'GET /v1/encryption-key'>;

export default function EncryptionPage() {
  return <PlatformPage title={t('encryption.title')}>{() => <Encryption />}</PlatformPage>;
}

function Encryption() {
  const key = useQuery<Key>('encryption key', (signal) => api('GET /v1/encryption-key', { signal }));
  const [asking, setAsking] = useState(false);
  return (
    <Panel
      title={t('encryption.keys')}
      text={t('encryption.text')}
      actions={
        <Button icon="rotate-ccw" disabled={!key.value} onClick={() => setAsking(true)}>
          {t('encryption.rotate')}
        </Button>
      }>
      <Loaded query={key}>
        {(known) => (
          <>
            <Facts
              facts={[
                [t('encryption.now'), <code>{known.keyId}</code>],
                [t('encryption.keeper'), t(known.keptByServer ? 'encryption.byServer' : 'encryption.bySetting')],
                ...known.values.map(
                  (each) =>
                    [
                      t('encryption.sealed', { key: each.keyId }),
                      <span class="row">
                        {count('encryption.values', each.count)}
                        {each.keyId === known.keyId ? (
                          <Badge tone="green" icon="circle-check">
                            {t('encryption.current')}
                          </Badge>
                        ) : (
                          <Badge tone="amber" icon="clock">
                            {t('encryption.former')}
                          </Badge>
                        )}
                      </span>,
                    ] as const,
                ),
              ]}
            />
            {asking ? (
              <ConfirmDialog
                harmless
                title={t('encryption.rotateTitle')}
                text={t(known.keptByServer ? 'encryption.rotateOwn' : 'encryption.rotateGiven')}
                submit={t('encryption.rotate')}
                perform={async () => {
                  const rotated = await api('POST /v1/encryption-key/rotate', {});
                  if (rotated.ok) {
                    key.put(() => rotated.value);
                  }
                  return rotated;
                }}
                done={t('encryption.rotated')}
                close={() => setAsking(false)}
                changed={() => undefined}
              />
            ) : null}
          </>
        )}
      </Loaded>
    </Panel>
  );
}
