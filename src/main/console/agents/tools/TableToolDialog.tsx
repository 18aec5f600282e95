import { useState } from 'preact/hooks';
import { api } from '../../base/api/client';
import { ComboField } from '../../base/components/Combobox';
import { FormDialog } from '../../base/components/Dialog';
import { useQuery } from '../../base/query';
import { t } from '../../base/text';
import { toolName, type ToolDialogProps } from '../model';

const TABLES_MAX = 100;

interface Table {
  id: string;
  name: string;
}

export function TableToolDialog({ projectId, taken, close, onTool }: ToolDialogProps) {
  const [id, setId] = useState('');
  const tables = useQuery<Table[]>(`tables ${projectId}`, async (signal) => {
    const page = await api('GET /v1/tables', { query: { projectId, limit: TABLES_MAX }, signal });
    return page.ok ? { ok: true, value: page.value.data as Table[] } : page;
  });
  return (
    <FormDialog
      title={t('agents.tool.table')}
      submit={t('platform.add')}
      onClose={close}
      disabled={id === ''}
      perform={async () => {
        const table = tables.value!.find((each) => each.id === id)!;
        onTool({
          type: 'KNOWLEDGE_BASE',
          toolName: toolName(table.name, taken),
          sourceType: 'TABLE',
          sourceId: table.id,
          sourceName: table.name,
        });
        return undefined;
      }}>
      {() => (
        <ComboField
          label={t('agents.tool.table')}
          empty={t('agents.chooseTable')}
          help={tables.value?.length === 0 ? t('agents.noTable') : undefined}
          value={id}
          onValue={setId}
          options={(tables.value ?? []).map((each) => ({ value: each.id, label: each.name }))}
        />
      )}
    </FormDialog>
  );
}
