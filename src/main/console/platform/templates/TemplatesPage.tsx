import { useState } from 'preact/hooks';
import { api } from '../../base/api/client';
import { Button } from '../../base/components/Button';
import { ConfirmDialog } from '../../base/components/ConfirmDialog';
import { changedColumn } from '../../base/components/columns';
import { DataTable, type Column } from '../../base/components/DataTable';
import { SearchField } from '../../base/components/Field';
import { deletion, RowMenu } from '../../base/components/RowMenu';
import { Empty } from '../../base/components/States';
import { useCommands } from '../../base/commands';
import { useRows } from '../../base/query';
import { narrow, usePlace } from '../../base/router';
import { count, t } from '../../base/text';
import { PlatformPage } from '../PlatformPage';
import type { Template } from './model';
import { TemplateFormDialog } from './TemplateFormDialog';

type Asked = { what: 'new' } | { what: 'change' | 'delete'; template: Template };

export default function TemplatesPage() {
  const [asked, setAsked] = useState<Asked>();
  const begin = (): void => setAsked({ what: 'new' });
  useCommands([{ id: 'new-template', label: t('templates.new'), icon: 'plus', keys: 'c', perform: begin }], []);
  return (
    <PlatformPage
      title={t('templates.title')}
      actions={
        <Button kind="primary" icon="plus" onClick={begin}>
          {t('templates.new')}
        </Button>
      }>
      {() => <Templates asked={asked} ask={setAsked} />}
    </PlatformPage>
  );
}

function Templates({ asked, ask }: { asked: Asked | undefined; ask: (asked: Asked | undefined) => void }) {
  const search = usePlace().query.get('name') ?? '';
  const rows = useRows<Template>(`templates ${search}`, (_, signal) =>
    api('GET /v1/templates', { query: { type: 'CUSTOM', search: search || undefined }, signal }),
  );
  const close = (): void => ask(undefined);
  const columns: Column<Template>[] = [
    {
      key: 'name',
      title: t('flows.column.name'),
      cell: (each) => (
        <div class="row-name">
          <strong class="cut">{each.name}</strong>
          <span class="row faint">
            <span class="cut">{each.summary}</span>
            {each.tags.map((tag) => (
              <span key={tag.title} class="tag">
                {tag.title}
              </span>
            ))}
          </span>
        </div>
      ),
    },
    {
      key: 'flows',
      title: t('nav.flows'),
      width: '100px',
      wideOnly: true,
      cell: (each) => count('connections.flows', each.flows.length),
    },
    {
      key: 'author',
      title: t('templates.author'),
      width: '160px',
      wideOnly: true,
      cell: (each) => <span class="faint">{each.author}</span>,
    },
    changedColumn(),
    {
      key: 'menu',
      title: t('base.more'),
      hidden: true,
      width: '56px',
      cell: (template) => (
        <RowMenu
          name={template.name}
          groups={[
            {
              items: [
                { label: t('templates.change'), icon: 'pencil', perform: () => ask({ what: 'change', template }) },
              ],
            },
            { items: [deletion(() => ask({ what: 'delete', template }))] },
          ]}
        />
      ),
    },
  ];
  return (
    <div class="connections">
      <SearchField label={t('templates.search')} value={search} onValue={(value) => narrow({ name: value })} />
      <DataTable
        label={t('templates.title')}
        rows={rows}
        columns={columns}
        id={(each) => each.id}
        empty={
          <div class="card">
            {search ? (
              <Empty icon="search" title={t('flows.none.title')} text={t('templates.noneSuch', { text: search })} />
            ) : (
              <Empty icon="layout-template" title={t('templates.none')} text={t('templates.noneText')}>
                <Button icon="plus" onClick={() => ask({ what: 'new' })}>
                  {t('templates.new')}
                </Button>
              </Empty>
            )}
          </div>
        }
      />
      {asked?.what === 'new' ? <TemplateFormDialog close={close} changed={rows.reload} /> : null}
      {asked?.what === 'change' ? (
        <TemplateFormDialog template={asked.template} close={close} changed={rows.reload} />
      ) : null}
      {asked?.what === 'delete' ? (
        <ConfirmDialog
          title={t('flows.delete.title', { name: asked.template.name })}
          text={t('templates.deleteText')}
          done={t('flows.deleted', { name: asked.template.name })}
          perform={() => api('DELETE /v1/templates/{id}', { path: { id: asked.template.id } })}
          close={close}
          changed={rows.reload}
        />
      ) : null}
    </div>
  );
}
