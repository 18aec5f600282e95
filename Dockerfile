# Built from the sources alone: docker build -t millrace . && docker run -p 8080:8080 -v millrace:/data millrace
# With Node.js, which npm pieces and much code of steps need; without it, and 180 MB smaller: docker build --target slim .
# For amd64 and arm64: docker buildx build --platform linux/amd64,linux/arm64 . (the file holds what its architecture needs,
# PostgreSQL for one, so each is built on its own).
# Nothing is written but /data and /tmp: docker run --read-only --tmpfs /tmp:exec --cap-drop ALL -p 8080:8080 -v millrace:/data millrace

FROM eclipse-temurin:25-jdk-noble AS build
WORKDIR /source
COPY . .
# The libraries stay in a cache of the builder from one build to the next.
RUN --mount=type=cache,target=/root/.m2 ./mvnw --batch-mode --quiet -Pquick -Dmaven.test.skip=true package

FROM node:24-bookworm-slim AS node

FROM eclipse-temurin:25-jre-noble AS slim
# PostgreSQL refuses to run as root, and so does this image. The number lets a cluster check that the user is not root.
RUN groupadd --system --gid 10001 millrace \
    && useradd --system --uid 10001 --gid millrace --home-dir /data --no-create-home millrace \
    && install --directory --owner=millrace --group=millrace --mode=0700 /data
COPY --from=build /source/target/millrace /usr/local/bin/millrace
COPY --from=build /source/conf /opt/millrace/conf
# The start cache is part of the image: its servers start quickly from the first time on.
RUN AP_DATA_DIR=/tmp/rehearsal /usr/local/bin/millrace --make-start-cache && rm -rf /tmp/rehearsal
WORKDIR /opt/millrace
USER 10001:10001
ENV AP_DATA_DIR=/data
VOLUME /data
EXPOSE 8080
# The file replaces its own shell by the JVM, so that a signal reaches the server itself.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 CMD ["bash", "-c", \
    "exec 3<>/dev/tcp/127.0.0.1/${AP_PORT:-8080} && printf 'GET /api/v1/health HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q ' 200 '"]
ENTRYPOINT ["/usr/local/bin/millrace"]

# The last stage is what a build without a target makes.
FROM slim AS full
# The interpreter and its package manager, which installs pieces; nothing else of its image.
COPY --from=node /usr/local/bin/node /usr/local/bin/node
COPY --from=node /usr/local/lib/node_modules/npm /usr/local/lib/node_modules/npm
USER root
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && node --version && npm --version
USER 10001:10001
