import type { ComponentChildren } from 'preact';
import { PendingCount } from '../approvals/PendingCount';
import { Icon, type IconName } from '../base/components/Icon';
import { allowed, may } from '../base/permissions';
import { linkTo, usePlace } from '../base/router';
import type { Project } from '../base/session';
import { useStore } from '../base/store';
import { t } from '../base/text';
import { isCurrent, platformAreas } from '../platform/areas';
import { areas } from './areas';

export function AreaList({ project, isAdmin }: { project: Project; isAdmin: boolean }) {
  const { path } = usePlace();
  useStore(allowed);
  const home = `/projects/${project.id}`;
  if (path === '/platform' || path.startsWith('/platform/')) {
    return (
      <>
        <ul>
          <Area to={`${home}/flows`} icon="arrow-left" text={project.displayName} current={false} />
        </ul>
        {platformAreas.map((group) => (
          <div key={group.title}>
            <div class="areas-head">{t(group.title)}</div>
            <ul>
              {group.areas.map((area) => (
                <Area
                  key={area.to}
                  to={area.to}
                  icon={area.icon}
                  text={t(area.text)}
                  current={isCurrent(area.to, path)}
                />
              ))}
            </ul>
          </div>
        ))}
      </>
    );
  }
  return (
    <>
      <ul>
        {areas
          .filter((area) => may(area.needs))
          .map((area) => (
            <Area
              key={area.path}
              to={`${home}/${area.path}`}
              icon={area.icon}
              text={t(area.text)}
              current={path.startsWith(`${home}/${area.path}`)}>
              {area.path === 'approvals' ? <PendingCount projectId={project.id} /> : null}
            </Area>
          ))}
      </ul>
      {isAdmin ? (
        <ul class="areas-foot">
          <Area to="/platform" icon="shield-check" text={t('nav.platform')} current={false} />
        </ul>
      ) : null}
    </>
  );
}

function Area({
  to,
  icon,
  text,
  current,
  children,
}: {
  to: string;
  icon: IconName;
  text: string;
  current: boolean;
  children?: ComponentChildren;
}) {
  return (
    <li>
      <a {...linkTo(to)} aria-current={current ? 'page' : undefined}>
        <Icon name={icon} />
        <span class="cut">{text}</span>
        {children}
      </a>
    </li>
  );
}
