import { useState } from 'preact/hooks';
import { api } from '../base/api/client';
import { DataTable, type Column } from '../base/components/DataTable';
import { SearchField, Switch } from '../base/components/Field';
import { Badge, Empty, type Tone } from '../base/components/States';
import type { IconName } from '../base/components/Icon';
import { complain } from '../base/components/Toasts';
import { useMay } from '../base/permissions';
import { useQuery } from '../base/query';
import { found } from '../base/search';
import { t } from '../base/text';
import type { McpServer, Tool } from './model';

const LOOK: Record<Tool['effect'], { tone: Tone; icon: IconName }> = {
  READS: { tone: 'green', icon: 'eye' },
  WRITES: { tone: 'blue', icon: 'pencil' },
  DESTROYS: { tone: 'red', icon: 'trash-2' },
  UNKNOWN: { tone: 'grey', icon: 'workflow' },
};

export function ToolList({ server, put }: { server: McpServer; put: (server: McpServer) => void }) {
  const projectId = server.projectId;
  const [typed, setTyped] = useState('');
  const mayTurn = useMay('WRITE_MCP');
  const tools = useQuery<Tool[]>(`mcp tools ${projectId}`, (signal) =>
    api('GET /v1/mcp/{projectId}/tools', { path: { projectId }, signal }),
  );
  const turn = async (tool: Tool, on: boolean): Promise<void> => {
    const mark = (enabled: boolean): void =>
      tools.put((all) => all.map((each) => (each.name === tool.name ? { ...each, enabled } : each)));
    const others = (server.disabledTools ?? []).filter((name) => name !== tool.name);
    mark(on);
    const done = await api('POST /v1/mcp/{projectId}', {
      path: { projectId },
      body: { disabledTools: on ? others : [...others, tool.name] },
    });
    if (done.ok) {
      put(done.value);
    } else {
      mark(!on);
      complain(done.failure);
    }
  };
  const columns: Column<Tool>[] = [
    {
      key: 'name',
      title: t('flows.column.name'),
      cell: (tool) => (
        <div class="row-name tool-name">
          <strong>{tool.title}</strong>
          <code class="faint">{tool.name}</code>
          <span class="faint">{tool.description}</span>
        </div>
      ),
    },
    {
      key: 'effect',
      title: t('mcp.effect'),
      width: '150px',
      wideOnly: true,
      cell: (tool) => <Badge {...LOOK[tool.effect]}>{t(`mcp.effect.${tool.effect}`)}</Badge>,
    },
    {
      key: 'on',
      title: t('mcp.on'),
      width: '72px',
      cell: (tool) => (
        <Switch
          on={tool.enabled}
          label={t('mcp.turn', { name: tool.title })}
          disabled={!mayTurn}
          onChange={(on) => void turn(tool, on)}
        />
      ),
    },
  ];
  const rows = {
    ...tools,
    ...(tools.value && typed ? { value: found(tools.value, typed, (tool) => `${tool.title} ${tool.name}`) } : {}),
  };
  return (
    <>
      <SearchField label={t('mcp.search')} value={typed} onValue={setTyped} />
      <DataTable
        label={t('mcp.tools')}
        rows={rows}
        columns={columns}
        id={(tool) => tool.name}
        empty={
          <div class="card">
            <Empty icon="search" title={t('flows.none.title')} text={t('mcp.none', { text: typed })} />
          </div>
        }
      />
    </>
  );
}
