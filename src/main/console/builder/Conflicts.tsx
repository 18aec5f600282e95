import { Button } from '../base/components/Button';
import { Icon } from '../base/components/Icon';
import { useStore } from '../base/store';
import { t } from '../base/text';
import { useBuilder } from './context';
import { textOf } from './fields/scope';
import type { Version } from './operations';
import { findStep } from './steps';
import type { Conflict } from './sync/rebase';

export function Conflicts() {
  const { builder } = useBuilder();
  const { conflicts, version } = useStore(builder.store);
  return conflicts.length === 0 ? null : (
    <section class="conflicts" aria-label={t('conflict.title')} role="alert">
      {conflicts.map((conflict) => (
        <div
          key={JSON.stringify([conflict.subject, conflict.path])}
          class="builder-bar tone-amber conflict"
          data-conflict={conflict.path.join('/')}>
          <Icon name="triangle-alert" />
          <div class="spread">
            <div>{t('conflict.of', { subject: subjectOf(conflict, version), property: propertyOf(conflict) })}</div>
            <dl>
              <dt>{t('conflict.theirs')}</dt>
              <dd data-theirs tabIndex={0}>
                {shortened(conflict.theirs)}
              </dd>
              <dt>{t('conflict.mine')}</dt>
              <dd data-mine tabIndex={0}>
                {shortened(conflict.mine)}
              </dd>
            </dl>
          </div>
          <Button size="small" onClick={() => builder.resolve(conflict, false)}>
            {t('conflict.keepTheirs')}
          </Button>
          <Button size="small" kind="primary" needs="WRITE_FLOW" onClick={() => builder.resolve(conflict, true)}>
            {t('conflict.useMine')}
          </Button>
        </div>
      ))}
    </section>
  );
}

function subjectOf({ subject }: Conflict, version: Version): string {
  switch (subject.kind) {
    case 'flow':
      return version.displayName;
    case 'note':
      return t('conflict.note');
    case 'step':
      return findStep(version.trigger, subject.name)?.displayName ?? subject.name;
  }
}

function propertyOf({ path }: Conflict): string {
  const names = path.filter((part) => !['settings', 'input', 'sourceCode'].includes(part));
  return path.length === 0 ? t('conflict.whole') : path[0] === 'displayName' ? t('conflict.name') : names.join(' › ');
}

const VALUE_MAX = 2_000;

const shortened = (value: unknown): string => {
  const text = value === undefined ? t('conflict.absent') : textOf(value);
  return text.length > VALUE_MAX ? `${text.slice(0, VALUE_MAX)}…` : text;
};
