import type { Command } from '../base/commands';
import { navigate } from '../base/router';
import { t } from '../base/text';

export function runCommands(projectId: string): Command[] {
  const to = (query: string) => (): void => navigate(`/projects/${projectId}/runs?${query}`);
  const group = t('runs.title');
  return [
    {
      id: 'runs-failed',
      label: t('runs.command.failed'),
      icon: 'circle-x',
      needs: 'READ_RUN',
      group,
      perform: to('status=failed'),
    },
    {
      id: 'runs-live',
      label: t('runs.command.live'),
      icon: 'circle-dashed',
      needs: 'READ_RUN',
      group,
      perform: to('status=running'),
    },
    {
      id: 'runs-causes',
      label: t('runs.command.causes'),
      icon: 'list-tree',
      needs: 'READ_RUN',
      group,
      perform: to('view=causes'),
    },
  ];
}
