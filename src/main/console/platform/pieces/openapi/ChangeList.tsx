import { Notice } from '../../../base/components/States';
import { t } from '../../../base/text';
import type { Changes, Report } from './document';

export function ChangeList({ report }: { report: Report }) {
  if (report.unchanged) {
    return <Notice tone="blue">{t('openapi.unchanged', { version: report.version })}</Notice>;
  }
  const changes: Changes | undefined = report.changes;
  if (!changes) {
    return null;
  }
  return (
    <section class="openapi-changes">
      <h3>{t('openapi.changes', { from: changes.from, to: changes.to })}</h3>
      {changes.authChanged ? <Notice tone="amber">{t('openapi.changes.auth')}</Notice> : null}
      {changes.actions.length === 0 && !changes.authChanged ? <p class="faint">{t('openapi.changes.none')}</p> : null}
      <ul>
        {changes.actions.map((action) => (
          <li key={action.name}>
            <code>{action.name}</code> {t(`openapi.change.${action.change}`)}
            {action.properties.length > 0 ? (
              <ul>
                {action.properties.map((property) => (
                  <li key={property.name}>
                    <code>{property.name}</code> {t(`openapi.change.${property.change}`)}
                  </li>
                ))}
              </ul>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
