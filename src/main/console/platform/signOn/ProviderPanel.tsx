import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { success, refused, type Failure, type Result } from '../../base/api/failure';
import { Button } from '../../base/components/Button';
import { ConfirmDialog } from '../../base/components/ConfirmDialog';
import { CopyButton } from '../../base/components/CopyButton';
import { Facts, Panel } from '../../base/components/Panel';
import { Badge } from '../../base/components/States';
import { reloadFlags } from '../../base/session';
import { t } from '../../base/text';

interface Props {
  title: string;
  text: string;
  /** True if the platform has the provider. */
  there: boolean;
  /** Values to configure at the provider, by name. */
  told: ReadonlyArray<readonly [string, string]>;
  remove: () => Promise<Failure | undefined>;
  form: (close: () => void) => ComponentChildren;
  id: string;
}

export function ProviderPanel({ title, text, there, told, remove, form, id }: Props) {
  const [asked, setAsked] = useState<'set' | 'remove'>();
  const close = (): void => setAsked(undefined);
  const removed = async (): Promise<Result<unknown>> => {
    const failure = await remove();
    await reloadFlags();
    return failure ? refused(failure) : success(undefined);
  };
  return (
    <Panel
      title={title}
      text={text}
      actions={
        <>
          {there ? (
            <Button kind="quiet" icon="trash-2" onClick={() => setAsked('remove')}>
              {t('signOn.remove')}
            </Button>
          ) : null}
          <Button more={{ 'data-set-up': id }} onClick={() => setAsked('set')}>
            {t(there ? 'signOn.setAgain' : 'signOn.set')}
          </Button>
        </>
      }>
      <Facts
        facts={[
          [
            t('flows.column.status'),
            there ? (
              <Badge tone="green" icon="circle-check">
                {t('signOn.isSet')}
              </Badge>
            ) : (
              <Badge tone="grey" icon="circle-slash">
                {t('signOn.isNot')}
              </Badge>
            ),
          ],
          ...told.map(
            ([name, value]) =>
              [
                name,
                <span class="row">
                  <code class="cut">{value}</code>
                  <CopyButton text={value} />
                </span>,
              ] as const,
          ),
        ]}
      />
      {asked === 'set' ? form(close) : null}
      {asked === 'remove' ? (
        <ConfirmDialog
          title={t('signOn.removeTitle', { name: title })}
          text={t('signOn.removeText')}
          submit={t('signOn.remove')}
          perform={removed}
          close={close}
          changed={() => undefined}
        />
      ) : null}
    </Panel>
  );
}
