import { Icon } from '../base/components/Icon';
import { Menu } from '../base/components/Menu';
import { t } from '../base/text';
import { nameOf } from './canvas/Canvas';
import type { Label } from './canvas/layout';
import { useBuilder } from './context';

export function BranchLabel({ label }: { label: Label }) {
  const { builder, focus } = useBuilder();
  const { step, place } = label;
  const index = place.branchIndex;
  const branches = step.settings.branches ?? [];
  const branch = index === undefined ? undefined : branches[index];
  if (index === undefined || !branch) {
    return <span class="branch-name">{nameOf(label)}</span>;
  }
  const stepName = step.name;
  const movable = (to: number): boolean =>
    branch.branchType === 'CONDITION' && branches[to]?.branchType === 'CONDITION';
  const moveTo = (to: number) => (): void =>
    builder.perform({ type: 'MOVE_BRANCH', request: { stepName, sourceBranchIndex: index, targetBranchIndex: to } });
  return (
    <Menu
      label={t('router.branchMenu', { name: branch.branchName })}
      align="start"
      button={(wiring) => (
        <button type="button" class="branch-name" {...wiring}>
          {nameOf(label)}
          <Icon name="chevron-down" size={12} />
        </button>
      )}
      groups={[
        {
          items: [
            { label: t('router.edit'), icon: 'pencil', perform: () => focus.set({ step: stepName, side: 'step' }) },
            {
              label: t('router.addBranch'),
              icon: 'plus',
              perform: () =>
                builder.perform({
                  type: 'ADD_BRANCH',
                  request: {
                    stepName,
                    branchIndex: index,
                    branchName: t('router.branch', { number: branches.length }),
                  },
                }),
            },
            {
              label: t('builder.duplicate'),
              icon: 'copy',
              perform: () => builder.perform({ type: 'DUPLICATE_BRANCH', request: { stepName, branchIndex: index } }),
            },
            { label: t('router.left'), icon: 'arrow-left', disabled: !movable(index - 1), perform: moveTo(index - 1) },
            {
              label: t('router.right'),
              icon: 'arrow-right',
              disabled: !movable(index + 1),
              perform: moveTo(index + 1),
            },
          ],
        },
        {
          items: [
            {
              label: t('builder.delete'),
              icon: 'trash-2',
              danger: true,
              disabled: branch.branchType === 'FALLBACK',
              perform: () => builder.perform({ type: 'DELETE_BRANCH', request: { stepName, branchIndex: index } }),
            },
          ],
        },
      ]}
    />
  );
}
