import type { ComponentChildren } from 'preact';
import { Icon } from '../base/components/Icon';
import { t, type TextKey } from '../base/text';
import { errorOf, kindOf, wordsOf } from './errors';
import { JsonView } from './JsonView';

export function ErrorView({ text, stepType }: { text: string; stepType: string }) {
  const error = errorOf(text);
  const words = wordsOf(kindOf(error, stepType));
  return (
    <div class="error-view">
      <Part title="run.error.happened" icon="circle-x">
        <p class="error-message">{error.message}</p>
        {error.line === undefined ? null : (
          <p class="faint" data-error-line>
            {t('run.error.line', { line: error.line })}
          </p>
        )}
        {error.request || error.status ? (
          <p class="faint">
            <code>{[error.request, error.status].filter(Boolean).join(' → ')}</code>
          </p>
        ) : null}
      </Part>
      <Part title="run.error.means" icon="info">
        <p>{t(words.means)}</p>
      </Part>
      <Part title="run.error.todo" icon="wrench">
        <p>{t(words.todo)}</p>
      </Part>
      {Object.keys(error.more).length > 0 ? (
        <details>
          <summary>{t('run.error.details')}</summary>
          <JsonView value={error.more} label={t('run.error.details')} />
        </details>
      ) : null}
    </div>
  );
}

function Part({
  title,
  icon,
  children,
}: {
  title: TextKey;
  icon: 'circle-x' | 'info' | 'wrench';
  children: ComponentChildren;
}) {
  return (
    <section class="error-part">
      <Icon name={icon} />
      <div>
        <h3>{t(title)}</h3>
        {children}
      </div>
    </section>
  );
}
