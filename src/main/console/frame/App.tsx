import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { EmbedGate } from '../embed/EmbedGate';
import { embedding, isEmbedded, listenToHost } from '../embed/host';
import { lazyView } from './lazyView';
import { ProgressLine } from '../base/components/ProgressLine';
import { CommandPalette, showPalette } from '../base/components/CommandPalette';
import { Content } from './Content';
import SignIn from '../start/SignInPage';
import { Boundary, Empty, Failed, Skeleton } from '../base/components/States';
import { Toasts } from '../base/components/Toasts';
import { first, useCommands } from '../base/commands';
import { navigate, usePlace, useRoute } from '../base/router';
import { enter, session, signOut, usualProject, type Session } from '../base/session';
import { useStore } from '../base/store';
import { t } from '../base/text';
import { platformCommands } from '../platform/areas';
import { runCommands } from '../runs/commands';
import { recentCommands, useSearch } from '../search/useSearch';
import { areas } from './areas';
import { Frame } from './Frame';
import { openRoutes, routes } from './routes';
import { Shortcuts, showShortcuts } from './Shortcuts';

const Welcome = lazyView(() => import('../start/WelcomePage'));

export function App() {
  const now = useStore(session);
  const { path } = usePlace();
  useEffect(() => (isEmbedded() ? listenToHost() : void enter()), []);
  return (
    <>
      <Boundary about={path}>
        <View now={now} />
      </Boundary>
      <CommandPalette />
      <Shortcuts />
      <Toasts />
      <ProgressLine />
    </>
  );
}

function View({ now }: { now: Session }) {
  const open = useRoute(openRoutes);
  const inFrame = useStore(embedding, (known) => known.on);
  if (inFrame && now.state !== 'in') {
    return <EmbedGate />;
  }
  if (open.pattern !== '' && !open.view && !open.failed) {
    return (
      <div class="centre">
        <Skeleton lines={1} />
      </div>
    );
  }
  if (open.view) {
    return <open.view params={open.params} />;
  }
  switch (now.state) {
    case 'starting':
      return (
        <div class="centre">
          <Skeleton lines={1} />
        </div>
      );
    case 'failed':
      return (
        <div class="centre">
          <Failed failure={now.failure} retry={() => void enter()} />
        </div>
      );
    case 'new':
      return <Welcome params={{}} />;
    case 'out':
      return <SignIn params={{}} />;
    case 'in':
      return (
        <>
          <Inside now={now} />
          {now.isExpired ? <SignInOver /> : null}
        </>
      );
  }
}

function SignInOver() {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const { title } = document;
    dialog.current?.showModal();
    return () => {
      document.title = title;
    };
  }, []);
  return (
    <dialog
      class="sign-in-over"
      ref={dialog}
      aria-label={t('signIn.title')}
      onCancel={(event) => event.preventDefault()}>
      <SignIn params={{ over: 'true' }} />
    </dialog>
  );
}

function Inside({ now }: { now: Session & { state: 'in' } }) {
  const { path } = usePlace();
  const shown = useRoute(routes);
  const usual = usualProject(now.projects);
  const project = now.projects.find((each) => each.id === shown.params['projectId']) ?? usual;
  useSearch(project?.id ?? '', now.user.id);
  useEffect(() => first.set(() => recentCommands(path, project?.id ?? '', routes)), [path, project?.id]);
  useCommands(
    [
      { id: 'palette', label: '', keys: 'Ctrl+k', perform: showPalette },
      { id: 'shortcuts', label: t('base.shortcuts'), icon: 'keyboard', keys: '?', perform: showShortcuts },
      {
        id: 'search',
        label: '',
        keys: '/',
        perform: () => document.querySelector<HTMLElement>('[data-search]')?.focus(),
      },
      ...areas.map((area) => ({
        id: `go-${area.path}`,
        label: t(area.text),
        icon: area.icon,
        keys: area.keys,
        needs: area.needs,
        perform: () => navigate(`/projects/${project?.id ?? ''}/${area.path}`),
      })),
      ...(now.user.platformRole === 'ADMIN' ? platformCommands() : []),
      ...runCommands(project?.id ?? ''),
      ...(embedding.get().on
        ? []
        : [{ id: 'sign-out', label: t('base.signOut'), icon: 'log-out' as const, perform: () => signOut() }]),
    ],
    [project?.id],
  );
  if (shown.pattern === '/welcome' && shown.view) {
    return <shown.view params={shown.params} />;
  }
  if (!project) {
    return (
      <div class="centre">
        <Empty icon="folder" title={t('page.notFound.title')} text={t('page.notFound.text')} />
      </div>
    );
  }
  return (
    <Frame user={now.user} projects={now.projects} project={project}>
      <Boundary about={path}>
        <Content shown={shown} projectId={project.id} />
      </Boundary>
    </Frame>
  );
}
