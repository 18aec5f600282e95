import { useState } from 'preact/hooks';
import { api } from '../base/api/client';
import { Button } from '../base/components/Button';
import { ConfirmDialog } from '../base/components/ConfirmDialog';
import { CopyButton } from '../base/components/CopyButton';
import { Facts, Panel } from '../base/components/Panel';
import { prefix } from '../base/prefix';
import { t } from '../base/text';
import { addressesOf } from './clients';
import type { McpServer } from './model';

export function Address({ server, put }: { server: McpServer; put: (server: McpServer) => void }) {
  const [shown, setShown] = useState(false);
  const [asking, setAsking] = useState(false);
  const addresses = addressesOf(location.origin + prefix, server.projectId);
  const copied = (text: string) => (
    <span class="row token-row">
      <code class="cut">{text}</code>
      <CopyButton text={text} />
    </span>
  );
  return (
    <Panel title={t('mcp.address')} text={t('mcp.addressText')}>
      <Facts
        facts={[
          [t('mcp.ofProject'), copied(addresses.project)],
          [t('mcp.ofPlatform'), copied(addresses.platform)],
          ...(server.token
            ? [
                [
                  t('mcp.token'),
                  <span class="row token-row">
                    <code class="cut">{shown ? server.token : '••••••••••••'}</code>
                    <Button
                      kind="quiet"
                      size="small"
                      icon={shown ? 'eye-off' : 'eye'}
                      label={t(shown ? 'connections.hide' : 'connections.reveal')}
                      onClick={() => setShown(!shown)}
                    />
                    <CopyButton text={server.token} />
                    <Button size="small" icon="rotate-ccw" onClick={() => setAsking(true)}>
                      {t('mcp.rotate')}
                    </Button>
                  </span>,
                ] as const,
              ]
            : []),
        ]}
      />
      {asking ? (
        <ConfirmDialog
          title={t('mcp.rotateTitle')}
          text={t('mcp.rotateText')}
          submit={t('mcp.rotate')}
          done={t('mcp.rotated')}
          close={() => setAsking(false)}
          changed={() => undefined}
          perform={async () => {
            const rotated = await api('POST /v1/mcp/{projectId}/rotate', { path: { projectId: server.projectId } });
            if (rotated.ok) {
              put(rotated.value);
            }
            return rotated;
          }}
        />
      ) : null}
    </Panel>
  );
}
