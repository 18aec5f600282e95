import { Button } from '../../base/components/Button';
import { SelectField } from '../../base/components/Field';
import { t } from '../../base/text';
import { useBuilder } from '../context';
import type { Branch, Condition, Step } from '../steps';
import { emptyConditions } from '../tree';
import { ConditionRow } from './ConditionRow';
import { useChange } from './StepScope';

/** Branches of a router: each has groups of conditions, of which one must hold as a whole. */
export function RouterEditor({ step }: { step: Step }) {
  const { builder } = useBuilder();
  const change = useChange();
  const branches = step.settings.branches ?? [];
  const put = (index: number, branch: Branch): void =>
    change({ branches: branches.map((each, at) => (at === index ? branch : each)) });
  return (
    <>
      <SelectField
        label={t('router.execution')}
        value={step.settings.executionType ?? 'EXECUTE_FIRST_MATCH'}
        options={[
          { value: 'EXECUTE_FIRST_MATCH', label: t('router.first') },
          { value: 'EXECUTE_ALL_MATCH', label: t('router.all') },
        ]}
        onValue={(value) => change({ executionType: value as 'EXECUTE_FIRST_MATCH' })}
      />
      {branches.map((branch, index) => (
        <fieldset key={index} class="item branch" data-branch={index}>
          <div class="row">
            <input
              class="ghost-input spread"
              aria-label={t('router.name', { number: index + 1 })}
              value={branch.branchName}
              onInput={(event) => put(index, { ...branch, branchName: event.currentTarget.value })}
            />
            {branch.branchType === 'CONDITION' ? (
              <Button
                kind="quiet"
                size="small"
                icon="trash-2"
                label={t('router.delete', { name: branch.branchName })}
                onClick={() =>
                  builder.perform({ type: 'DELETE_BRANCH', request: { stepName: step.name, branchIndex: index } })
                }
              />
            ) : null}
          </div>
          {branch.branchType === 'FALLBACK' ? (
            <p class="help">{t('router.fallbackHelp')}</p>
          ) : (
            <Groups
              conditions={branch.conditions ?? []}
              onChange={(conditions) => put(index, { ...branch, conditions })}
            />
          )}
        </fieldset>
      ))}
      <div>
        <Button
          icon="plus"
          onClick={() => {
            const fallback = branches.findIndex((branch) => branch.branchType === 'FALLBACK');
            builder.perform({
              type: 'ADD_BRANCH',
              request: {
                stepName: step.name,
                branchIndex: fallback < 0 ? branches.length : fallback,
                branchName: t('router.branch', { number: branches.length }),
                conditions: emptyConditions(),
              },
            });
          }}>
          {t('router.addBranch')}
        </Button>
      </div>
    </>
  );
}

function Groups({
  conditions,
  onChange,
}: {
  conditions: Condition[][];
  onChange: (conditions: Condition[][]) => void;
}) {
  const put = (group: number, rows: Condition[]): void =>
    onChange(
      rows.length === 0
        ? conditions.filter((_, at) => at !== group)
        : conditions.map((each, at) => (at === group ? rows : each)),
    );
  const fresh = (): Condition => emptyConditions()[0]![0]!;
  return (
    <div class="groups">
      {conditions.map((rows, group) => (
        <div key={group} class="group">
          {group > 0 ? (
            <div class="joined">
              <span>{t('router.or')}</span>
            </div>
          ) : null}
          {rows.map((condition, row) => (
            <div key={row}>
              {row > 0 ? (
                <div class="joined faint">
                  <span>{t('router.and')}</span>
                </div>
              ) : null}
              <ConditionRow
                condition={condition}
                onChange={(next) =>
                  put(
                    group,
                    rows.map((each, at) => (at === row ? next : each)),
                  )
                }
                onRemove={() =>
                  put(
                    group,
                    rows.filter((_, at) => at !== row),
                  )
                }
              />
            </div>
          ))}
          <Button kind="quiet" size="small" icon="plus" onClick={() => put(group, [...rows, fresh()])}>
            {t('router.and')}
          </Button>
          {group === conditions.length - 1 ? (
            <Button kind="quiet" size="small" icon="plus" onClick={() => onChange([...conditions, [fresh()]])}>
              {t('router.or')}
            </Button>
          ) : null}
        </div>
      ))}
      {conditions.length === 0 ? (
        <Button kind="quiet" size="small" icon="plus" onClick={() => onChange([[fresh()]])}>
          {t('router.condition')}
        </Button>
      ) : null}
    </div>
  );
}
