import { Icon } from '../base/components/Icon';
import { Panel } from '../base/components/Panel';
import { t } from '../base/text';
import type { Coverage } from './model';

export function CoveragePanel({ coverage, title }: { coverage: Coverage; title: (path: string) => string }) {
  return (
    <Panel
      title={t('flowTests.coverage')}
      text={
        coverage.all === 0
          ? t('flowTests.coverageNone')
          : t('flowTests.coverageText', { reached: coverage.reached, all: coverage.all })
      }>
      {coverage.branches.length === 0 ? null : (
        <ul class="flow-test-coverage">
          {coverage.branches.map((branch, index) => (
            <li key={index} data-reached={branch.reached}>
              <Icon name={branch.reached ? 'circle-check' : 'circle-dashed'} />
              <span>
                {title(branch.step)}: <b>{branch.kind === 'LOOP_BODY' ? t('flowTests.coverage.loop') : branch.name}</b>
              </span>
              <span class="faint">
                {t(branch.reached ? 'flowTests.coverage.reached' : 'flowTests.coverage.missed')}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
