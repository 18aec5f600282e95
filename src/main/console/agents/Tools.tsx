import { useState } from 'preact/hooks';
import { Button } from '../base/components/Button';
import { Icon } from '../base/components/Icon';
import { Menu } from '../base/components/Menu';
import { Panel } from '../base/components/Panel';
import { t } from '../base/text';
import { FlowToolDialog } from './tools/FlowToolDialog';
import { McpToolDialog } from './tools/McpToolDialog';
import { PieceToolDialog } from './tools/PieceToolDialog';
import { TableToolDialog } from './tools/TableToolDialog';
import { aboutTool, type AgentTool, type ToolDialogProps } from './model';

type Kind = 'flow' | 'piece' | 'mcp' | 'table';

export function Tools({
  projectId,
  tools,
  onTools,
}: {
  projectId: string;
  tools: AgentTool[];
  onTools: (tools: AgentTool[]) => void;
}) {
  const [adding, setAdding] = useState<Kind>();
  const dialog: ToolDialogProps = {
    projectId,
    taken: tools,
    close: () => setAdding(undefined),
    onTool: (tool) => onTools([...tools, tool]),
  };
  return (
    <Panel
      title={t('agents.tools')}
      text={t('agents.toolsText')}
      actions={
        <Menu
          label={t('agents.addTool')}
          groups={[
            {
              items: [
                { label: t('agents.tool.flow'), icon: 'workflow', perform: () => setAdding('flow') },
                { label: t('agents.tool.piece'), icon: 'layout-grid', perform: () => setAdding('piece') },
                { label: t('agents.tool.table'), icon: 'table', perform: () => setAdding('table') },
                { label: t('agents.tool.mcp'), icon: 'plug', perform: () => setAdding('mcp') },
              ],
            },
          ]}
          button={(wiring) => (
            <button class="button small" type="button" {...wiring}>
              <Icon name="plus" />
              {t('agents.addTool')}
            </button>
          )}
        />
      }>
      {tools.length === 0 ? (
        <p class="faint">{t('agents.noTools')}</p>
      ) : (
        <ul class="origins">
          {tools.map((tool) => {
            const about = aboutTool(tool);
            return (
              <li key={tool.toolName}>
                <Icon name={about.icon} />
                <div class="row-name">
                  <strong class="cut">{about.text}</strong>
                  <code class="faint">{tool.toolName}</code>
                </div>
                <span class="spread" />
                <Button
                  kind="quiet"
                  size="small"
                  icon="x"
                  label={t('platform.takeAway', { name: about.text })}
                  onClick={() => onTools(tools.filter((each) => each !== tool))}
                />
              </li>
            );
          })}
        </ul>
      )}
      {adding === 'flow' ? (
        <FlowToolDialog {...dialog} />
      ) : adding === 'piece' ? (
        <PieceToolDialog {...dialog} />
      ) : adding === 'mcp' ? (
        <McpToolDialog {...dialog} />
      ) : adding === 'table' ? (
        <TableToolDialog {...dialog} />
      ) : null}
    </Panel>
  );
}
