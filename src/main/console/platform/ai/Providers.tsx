import { useState } from 'preact/hooks';
import { api } from '../../base/api/client';
import { Button } from '../../base/components/Button';
import { ConfirmDialog } from '../../base/components/ConfirmDialog';
import { DataTable, type Column } from '../../base/components/DataTable';
import { Panel } from '../../base/components/Panel';
import { deletion, RowMenu } from '../../base/components/RowMenu';
import { Badge, Empty } from '../../base/components/States';
import { complain } from '../../base/components/Toasts';
import { useQuery } from '../../base/query';
import { t } from '../../base/text';
import type { Provider } from './model';
import { ModelsDialog } from './ModelsDialog';
import { ProviderDialog } from './ProviderDialog';
import { titleOf } from './vendors';

type Asked = { what: 'change' | 'models' | 'delete'; provider: Provider };

export function Providers({ making, make }: { making: boolean; make: (making: boolean) => void }) {
  const [asked, setAsked] = useState<Asked>();
  const rows = useQuery<Provider[]>('ai providers', (signal) => api('GET /v1/ai-providers', { signal }));
  const close = (): void => setAsked(undefined);
  const choose = async (provider: Provider): Promise<void> => {
    const done = await api('POST /v1/ai-providers/{id}', {
      path: { id: provider.id },
      body: { displayName: provider.name, enabledForChat: true },
    });
    if (done.ok) {
      rows.put((all) => all.map((each) => ({ ...each, enabledForChat: each.id === provider.id })));
    } else {
      complain(done.failure);
    }
  };
  const columns: Column<Provider>[] = [
    {
      key: 'name',
      title: t('flows.column.name'),
      cell: (each) => (
        <div class="row-name">
          <strong class="cut">{each.name}</strong>
          <span class="faint">{titleOf(each.provider)}</span>
        </div>
      ),
    },
    {
      key: 'usual',
      title: t('ai.usual'),
      width: '170px',
      cell: (each) =>
        each.enabledForChat ? (
          <Badge tone="green" icon="circle-check">
            {t('ai.isUsual')}
          </Badge>
        ) : (
          <Button kind="quiet" size="small" onClick={() => choose(each)}>
            {t('ai.makeUsual')}
          </Button>
        ),
    },
    {
      key: 'menu',
      title: t('base.more'),
      hidden: true,
      width: '56px',
      cell: (provider) => (
        <RowMenu
          name={provider.name}
          groups={[
            {
              items: [
                { label: t('ai.models'), icon: 'list', perform: () => setAsked({ what: 'models', provider }) },
                ...(provider.provider === 'activepieces'
                  ? []
                  : [
                      {
                        label: t('ai.change'),
                        icon: 'pencil' as const,
                        perform: () => setAsked({ what: 'change', provider }),
                      },
                    ]),
              ],
            },
            {
              items:
                provider.provider === 'activepieces' ? [] : [deletion(() => setAsked({ what: 'delete', provider }))],
            },
          ]}
        />
      ),
    },
  ];
  return (
    <Panel plain title={t('ai.providers')} text={t('ai.providersText')}>
      <DataTable
        label={t('ai.providers')}
        rows={rows}
        columns={columns}
        id={(each) => each.id}
        empty={
          <div class="card">
            <Empty icon="sparkles" title={t('ai.none')} text={t('ai.noneText')}>
              <Button icon="plus" onClick={() => make(true)}>
                {t('ai.new')}
              </Button>
            </Empty>
          </div>
        }
      />
      {making ? <ProviderDialog close={() => make(false)} changed={rows.reload} /> : null}
      {asked?.what === 'change' ? (
        <ProviderDialog provider={asked.provider} close={close} changed={rows.reload} />
      ) : null}
      {asked?.what === 'models' ? <ModelsDialog provider={asked.provider} close={close} /> : null}
      {asked?.what === 'delete' ? (
        <ConfirmDialog
          title={t('flows.delete.title', { name: asked.provider.name })}
          text={t('ai.deleteText')}
          done={t('flows.deleted', { name: asked.provider.name })}
          perform={() => api('DELETE /v1/ai-providers/{id}', { path: { id: asked.provider.id } })}
          close={close}
          changed={rows.reload}
        />
      ) : null}
    </Panel>
  );
}
