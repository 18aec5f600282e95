package io.millrace.base.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RouteTableTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                /api/v1/flows/abc/versions        | flows
                /api/v1/flows                     | flows
                /api/v1/flows/                    | flows
                /v1/flows                         | flows
                /api/flows                        | flows
                /health/live                      | health
                /.well-known/openid-configuration | .well-known
                /api/v1                           | v1
                /api/v1/                          | ''
                /api                              | api
                /                                 | ''
                ''                                | ''
                *                                 | ''
                /api/v1x/flows                    | v1x
                /apix/v1/flows                    | apix
                /v1/api/flows                     | api
                //api//v1//flows                  | flows
                /api/./v1/./flows                 | flows
                /api/v1/a/../flows/..             | v1
                /../../api/v1/flows               | flows
                /%61pi/%76%31/%66lows             | flows
                /api/v1/flows%2Fabc               | flows
                /api/v1/%66lows%zz                | flows%zz
                /api/v1/flows%6                   | flows%6
                /api/v1/%2566lows                 | %66lows
                /:page                            | :page
                /*                                | *
                """)
    void findsTheSegmentOfAPath(String path, String segment) {
        assertThat(RouteTable.segmentOf(path)).isEqualTo(segment);
    }
}
