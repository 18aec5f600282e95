import { useState } from 'preact/hooks';
import { api } from '../../base/api/client';
import { settle, type Failure } from '../../base/api/failure';
import { Button } from '../../base/components/Button';
import { FormDialog } from '../../base/components/Dialog';
import { TextField } from '../../base/components/Field';
import { Facts, Panel } from '../../base/components/Panel';
import { Badge, Notice } from '../../base/components/States';
import { CopyButton } from '../../base/components/CopyButton';
import { reloadFlags } from '../../base/session';
import { t } from '../../base/text';
import type { Platform } from '../usePlatform';
import { domainOf } from './state';
import type { Props } from './Ways';

/** Domain whose users the platform's own providers may sign in; verified by a DNS record. */
export function SsoDomainPanel({ platform, change, put }: Props & { put: (platform: Platform) => void }) {
  const [editing, setEditing] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const proof = platform.ssoDomainVerification;
  const verify = async (): Promise<void> => {
    setBusy(true);
    setFailure(settle(await api('POST /v1/platforms/{id}/sso-domain/verify', { path: { id: platform.id } }), put));
    setBusy(false);
    await reloadFlags();
  };
  return (
    <Panel
      title={t('signOn.sso')}
      text={t('signOn.ssoText')}
      actions={
        <Button onClick={() => setEditing(true)}>{t(platform.ssoDomain ? 'signOn.ssoChange' : 'signOn.ssoSet')}</Button>
      }>
      {platform.ssoDomain ? (
        <Facts
          facts={[
            [
              t('signOn.domain'),
              <span class="row">
                <code>{platform.ssoDomain}</code>
                {proof?.status === 'VERIFIED' ? (
                  <Badge tone="green" icon="circle-check">
                    {t('signOn.proved')}
                  </Badge>
                ) : (
                  <Badge tone="amber" icon="clock">
                    {t('signOn.unproved')}
                  </Badge>
                )}
              </span>,
            ],
            ...(proof && proof.status !== 'VERIFIED'
              ? [
                  [
                    t('signOn.recordName'),
                    <span class="row">
                      <code class="cut">{proof.record.name}</code>
                      <CopyButton text={proof.record.name} />
                    </span>,
                  ] as const,
                  [
                    t('signOn.recordValue', { type: proof.record.type }),
                    <span class="row">
                      <code class="cut">{proof.record.value}</code>
                      <CopyButton text={proof.record.value} />
                    </span>,
                  ] as const,
                ]
              : []),
          ]}
        />
      ) : (
        <Notice tone="blue">{t('signOn.noSso')}</Notice>
      )}
      {failure && proof?.status !== 'VERIFIED' ? <Notice failure={failure} /> : null}
      {proof && proof.status !== 'VERIFIED' ? (
        <div>
          <Button kind="primary" icon="shield-check" busy={busy} onClick={() => verify()}>
            {t('signOn.prove')}
          </Button>
        </div>
      ) : null}
      {editing ? <DomainDialog platform={platform} change={change} close={() => setEditing(false)} /> : null}
    </Panel>
  );
}

function DomainDialog({ platform, change, close }: Props & { close: () => void }) {
  const [typed, setTyped] = useState(platform.ssoDomain ?? '');
  const perform = async (): Promise<Failure | undefined> => {
    const failure = await change({ ssoDomain: typed.trim() === '' ? null : domainOf(typed) });
    await reloadFlags();
    return failure;
  };
  return (
    <FormDialog title={t('signOn.sso')} submit={t('base.save')} onClose={close} perform={perform}>
      {(problems) => (
        <TextField
          label={t('signOn.domain')}
          help={t('signOn.ssoHelp')}
          value={typed}
          onValue={setTyped}
          problem={problems['ssoDomain']}
          control={{ name: 'ssoDomain', placeholder: 'acme.example', spellcheck: false }}
        />
      )}
    </FormDialog>
  );
}
